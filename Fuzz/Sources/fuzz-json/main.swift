import Fuzzing

FuzzRun.start(JSONFuzzing.run)
