import Fuzzing

FuzzRun.start(ZipFuzzing.run)
