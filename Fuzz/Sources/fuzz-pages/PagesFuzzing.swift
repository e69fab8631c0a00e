/// Databases, encrypted and not, and single pages.
enum PagesFuzzing {
    // The first byte says what is done with the rest. Kept inputs begin with it, so the order stays.
    private static var readers: [([UInt8]) -> Void] {
        [
            PlainTarget.run,  // salvage's readers over a file in plain
            EngineTarget.run,  // SQLite over our VFS, and our readers against it
            IdentificationTarget.run,  // an encrypted file as it lies
            SealedTarget.run,  // encrypted here, so that what is hostile gets past the HMACs
            PageTarget.run,  // one page, or one row, of any length
        ]
    }

    static func run(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let readers = readers
        readers[Int(choice) % readers.count](Array(bytes.dropFirst()))
    }
}
