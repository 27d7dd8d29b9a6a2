#!/usr/bin/env python3
"""Writes the C++ of a page into a file, and the output that the page shows into another: block_of.py PAGE SOURCE OUTPUT"""

import pathlib
import re
import sys

page = pathlib.Path(sys.argv[1]).read_text()
source, = re.findall(r"^```cpp\n(.*?)^```$", page, re.M | re.S)
shown, = re.findall(r"^It prints\n\n```\n(.*?)^```$", page, re.M | re.S)
pathlib.Path(sys.argv[2]).write_text(source)
pathlib.Path(sys.argv[3]).write_text(shown)
