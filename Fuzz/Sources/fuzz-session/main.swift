import Fuzzing

FuzzRun.start(SessionStoreFuzzing.run)
