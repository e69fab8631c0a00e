import Fuzzing

FuzzRun.start(PagesFuzzing.run)
