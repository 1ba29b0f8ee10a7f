"""`python -m crosstable`."""

import sys

from crosstable.cli import main

sys.exit(main())
