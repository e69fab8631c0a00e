import Fuzzing

FuzzRun.start(WireFuzzing.run)
