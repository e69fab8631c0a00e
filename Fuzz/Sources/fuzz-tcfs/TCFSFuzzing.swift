/// What stands in a store of tcfs, and what users keep for one.
enum TCFSFuzzing {
    // The first byte says who reads the rest. Kept inputs begin with it, so readers are only added at the end.
    private static var readers: [([UInt8]) -> Void] {
        [
            { StoredDocumentTarget.manifest($0) },
            { StoredDocumentTarget.entry($0) },
            { StoredDocumentTarget.reservation($0) },
            { StoredDocumentTarget.placeholder($0) },
            { StoredDocumentTarget.conflict($0) },
            { StoreKeyTarget.envelope($0) },
            { StoreKeyTarget.texts($0) },
            { StoreNameTarget.path($0) },
            { StoreNameTarget.key($0) },
            { ChunkingTarget.cuts($0) },
        ]
    }

    static func run(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let readers = readers
        readers[Int(choice) % readers.count](Array(bytes.dropFirst()))
    }
}
