import Fuzzing

FuzzRun.start(ContentFuzzing.run)
