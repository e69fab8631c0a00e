import Fuzzing

// The first byte says what is done with the rest. Kept inputs begin with it, so the order stays.
let targets: [([UInt8]) -> Void] = [
    PlainTarget.run,  // salvage's readers over a file in plain
    EngineTarget.run,  // SQLite over our VFS, and our readers against it
    IdentificationTarget.run,  // an encrypted file as it lies
    SealedTarget.run,  // encrypted here, so that what is hostile gets past the HMACs
    PageTarget.run,  // one page, or one row, of any length
]

FuzzRun.start { bytes in
    guard let choice = bytes.first else { return }
    targets[Int(choice) % targets.count](Array(bytes.dropFirst()))
}
