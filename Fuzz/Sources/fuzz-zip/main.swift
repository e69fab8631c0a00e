import Archives
import Fuzzing

let target = ZipTarget()
FuzzRun.start { target.run($0) }
