# What the tests of kernels/ cost, as warpwright_discover_tests takes it.
set(simulator_costs LABEL integration NIGHTLY Hangs.many_threads.* UNIT VectorClock.* Requests.* Shadows.* SourceText.* HeaderIndex.*
    QUICK Shared.* Half.* Constants.* Hangs.an_empty.*)
set(runtime_costs NIGHTLY BaselinesWorker.OfAll.* .*BuiltInsTable.IsKnownToNvrtc.* SLOW BaselinesWorker.OfOne.*
    QUICK Process.* WorkerOnAnyBytes.* CompileFaults.* Driver.*
    INTEGRATION ProcessFaults.* Compiling.* Callables.* GpuTimer.* .*BuiltIns.* Compiled.* Programs.* MachineCode.*
                DeviceLinker.* Linked.* .*OnAGpu.* MatrixProducts.*)

# Of the patterns: these compile kernels and run them on the simulator.
set(catalogue_integration
    Compact.AnEmptyArraySetsTheCountAndLaunchesNothing
    CompactResults.*
    Convolution.AnExampleByHandHasAFilterThatIsNotRotated
    Convolution.AnImpulseGivesTheRotatedFilterAroundIt
    Convolution.AnInfiniteTapCountsOnlyWhereItLiesOnAPixel
    Convolution.GridsOfExtremeShapesStayWithinTheLimits
    Convolution.OnlyOuterProductsAreSeparated
    Convolution.PixelsFromGlobalAndFromSharedMemoryGiveTheOracle
    Convolution.RollingDownColumnsGivesTheOracleEverywhere
    Convolution.TheReferenceAgreesWithTheOracle
    DigitLookBack.*
    Eigen.ADiagonalIsSortedAndItsVectorsAreUnitVectors
    Eigen.BlocksOfTwoHaveIntegerEigenvalues
    Eigen.TheObservationShowsWrongValuesWrongVectorsAndNan
    Eigen.TheReferenceAgreesWithTheOracle
    Eigen.TheSecondDifferenceHasItsKnownSpectrum
    Eigen.TheSecondPauliMatrixHasMinusOneAndOne
    Eigen.TwoByTwoHasOneAndThree
    Groups.*
    Histogram.AByteThatCountsPast255IsFound
    Histogram.ATileThatFillsItsBytesIsCounted
    Histogram.AnEmptyArrayZeroesTheBinsAndLaunchesNothing
    Histogram.ByteCountersConflictAsKnown
    Histogram.TaggedCountsAreRightInAnyOrderOfTheLanes
    Histogram.TheFastFormHasNoBankConflictsOnAnyData
    Histogram.TheReferenceIsTheOracle
    Histogram.WaysOfMatchingGiveTheSame
    ImageHistogram.BlocksTakeSeveralTiles
    ImageHistogram.RowsOfEveryAlignmentAreCounted
    ImageHistogram.TheReferenceIsTheOracle
    LennardJones.*
    LookBack.*
    Map.TheReferenceIsTheOracle
    MapStrided.*
    Matmul.EveryKernelIsRightOnHalves
    Matmul.EveryKernelIsRightOnOddShapesWithPaddedRows
    Matmul.FactorsOfZeroReadNothing
    Matmul.SpacesHaveTheirKnownNumberOfValidPoints
    Matmul.SpacesOfHalvesHaveMoreNeighboursInAnAccess
    Matmul.TheReferenceAgreesWithTheOracle
    Matmul.TwoByTwoByHandWithEveryKernel
    MatmulOnMatrixUnits.*
    Nbody.ABodyInOrbitReturns
    Nbody.ErrorsOfAnOrbitCoverTheSameStepsInFloat
    Nbody.TheReferenceAgreesWithTheOracle
    Nbody.ThreeBodiesByHandWithEveryKernel
    Nbody.NoForceIsLostIfAllTilesOfAllWarpsAreUsed
    NeighborObservation.*
    NeighborReference.*
    PipelineInTheSimulator.*
    PipelineReference.*
    Quicksort.*
    RadixRank.*
    Random.DeviceCodeGivesTheKnownAnswerOfACounterOfZeroToo
    Random.NoConfigurationChangesTheSequence
    Random.TheReferenceIsTheOracle
    Reduce.APersistentGridLeavesItsCounterAsItWasAndRunsAgain
    Reduce.BlockSizeChangesAFloatSumAsKnown
    Reduce.EveryKernelFinishesInEveryWay
    Reduce.FactorsOfAnyNumberKeepTheirProductsInRange
    Reduce.OneBlockOf256ShowsDivergenceAndConflicts
    Richardson.AnEigenvectorShrinksByItsEigenvalueInEverySweep
    Richardson.EveryKernelIsRightOnOddShapes
    Richardson.OneByOneGivesTheGoldenValues
    Richardson.SweepsEndAfterTheFirstThatFindsASmallResidual
    Richardson.TheReferenceAgreesWithTheOracle
    Richardson.TheRingHasItsKnownSpectrum
    Rows.ANanAnywhereMakesItsRowNan
    Rows.EveryKernelGivesTheOracleForEveryOperation
    Rows.ExactInputsNeedNoRounding
    Rows.TheReferenceAgreesWithTheOracle
    Scan.BlocksOfEverySizeGiveTheResultOfALoop
    Scan.TheOrderOfAnOperatorThatDoesNotCommuteIsKept
    ScanKnown.*
    ScanPattern.NanIsIgnoredInMinima
    ScanPattern.OneLaunchIsRightInWhateverOrderBlocksStart
    ScanPattern.SinglePassesRunAgainWithoutAReset
    ScanPattern.TheReferenceIsTheOracle
    Sort.*)
# One or two of each kind, for the quick sample.
set(catalogue_quick Groups.TilesOfEverySizeExchangeWithinThemselves Map.TheReferenceIsTheOracle
                    Nbody.ThreeBodiesByHandWithEveryKernel Scan.BlocksOfEverySizeGiveTheResultOfALoop
                    Sort.KnownFlagsAreSplit)
