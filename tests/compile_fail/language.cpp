// tine needs C++20 and exceptions. The compiler gets the options of the case with MISUSE only. DOOR is the header.
#ifndef DOOR
#define DOOR <tine/tine.hpp>
#endif
#include DOOR

int main() {}
