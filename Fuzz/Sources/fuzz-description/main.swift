import Fuzzing

FuzzRun.start(DescriptionFuzzing.run)
