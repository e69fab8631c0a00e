import Fuzzing

// The first byte says who reads the rest. Kept inputs begin with it, so readers are only added at the end.
let readers: [([UInt8]) -> Void] = [
    { MessageTarget.command($0) },
    { MessageTarget.response($0) },
    { MessageTarget.error($0) },
    { MessageTarget.key($0) },
    { BlockTarget.transmission($0) },
    { BlockTarget.hello($0) },
    { BlockTarget.handshake($0) },
    { SessionTarget.relay($0) },
]

FuzzRun.start { bytes in
    guard let choice = bytes.first else { return }
    readers[Int(choice) % readers.count](Array(bytes.dropFirst()))
}
