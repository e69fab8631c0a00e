import Fuzzing

FuzzRun.start(ScanFuzzing.run)
