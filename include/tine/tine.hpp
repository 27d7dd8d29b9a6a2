// Everything a program that uses tine needs.
#pragma once

#include <tine/managed.hpp>
