import Fuzzing

// The first byte says who reads the rest. Kept inputs begin with it, so readers are only added at the end.
let readers: [([UInt8]) -> Void] = [
    { TextTarget.address($0) },
    { TextTarget.description($0) },
    { TextTarget.link($0) },
    { TextTarget.sealedLink($0) },
    { FileTarget.header($0) },
    { FileTarget.sealed($0) },
]

FuzzRun.start { bytes in
    guard let choice = bytes.first else { return }
    readers[Int(choice) % readers.count](Array(bytes.dropFirst()))
}
