import Fuzzing
import ValiseArchives

let target = ZipTarget()
FuzzRun.start { target.run($0) }
