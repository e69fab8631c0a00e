import Fuzzing

FuzzRun.start(TemplateFuzzing.run)
