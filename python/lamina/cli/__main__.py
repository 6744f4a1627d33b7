"""``python -m lamina.cli``: the same as ``lamina``."""

import sys

from lamina.cli import main

sys.exit(main())
