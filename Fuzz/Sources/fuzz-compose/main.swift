import Fuzzing

FuzzRun.start(ComposeFuzzing.run)
