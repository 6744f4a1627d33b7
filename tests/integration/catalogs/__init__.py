"""The one commit of a statement, in every catalog, format version, write mode and partitioning."""
