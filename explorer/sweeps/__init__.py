"""Sweeps: many runs that differ in seed and parameters, trained together in worker processes.

A `Plan` says which runs there are and which train as one batch (a chunk); a `WrittenSweep` is the
folder that keeps what they came to, in parts; `conduct` hands the chunks that are not done yet to
workers, here or on a cluster. Torch is imported by the workers alone.
"""
