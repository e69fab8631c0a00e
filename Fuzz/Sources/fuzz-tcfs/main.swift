import Fuzzing

FuzzRun.start(TCFSFuzzing.run)
