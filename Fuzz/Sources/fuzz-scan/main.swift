import Fuzzing

// The first byte says what is done with the rest. Kept inputs begin with it, so the order stays.
let targets: [([UInt8]) -> Void] = [
    { ScanTarget.run($0) },  // the search of a salvage in a broken archive
    { InflateTarget.run($0) },  // all ways to unpack, against zlib in one call
    { DeflateTarget.run($0) },  // stretches that are packed independently make one stream
]

FuzzRun.start { bytes in
    guard let choice = bytes.first else { return }
    targets[Int(choice) % targets.count](Array(bytes.dropFirst()))
}
