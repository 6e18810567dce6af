// Large headers that most tests include, compiled once.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cmake/warpwright_pch.hpp"
