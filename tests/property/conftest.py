"""The property tests import the model and the histories that lie beside them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
