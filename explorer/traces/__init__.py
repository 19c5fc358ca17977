"""What was recorded: the configuration and corpus of a run, its steps, and the files they are in.

A run is recorded by a `SpoolWriter` into a folder of its own, seen as it grows through a
`SpoolTrace`, saved by `save_trace` as one safetensors file, and opened again as a `TraceFile`.
"""
