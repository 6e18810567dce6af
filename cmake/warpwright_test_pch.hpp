// Precompiled header for tests.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmake/warpwright_pch.hpp"
