import Fuzzing

FuzzRun.start(MarkdownFuzzing.run)
