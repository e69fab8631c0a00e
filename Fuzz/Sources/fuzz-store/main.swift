import Fuzzing

FuzzRun.start(StoreFuzzing.run)
