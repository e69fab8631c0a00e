/// Journals, reports, keys, and other small texts.
enum JSONFuzzing {
    // The first byte says who reads the rest. Kept inputs begin with it, so readers are only added at the end.
    private static var readers: [([UInt8]) -> Void] {
        [
            { JSONTarget.journal($0) },
            { JSONTarget.archiveError($0) },
            { JSONTarget.migrationResult($0) },
            { JSONTarget.databaseError($0) },
            { JSONTarget.exportEntry($0) },
            { JSONTarget.manifest($0) },
            { KeyTextTarget.file($0) },
            { KeyTextTarget.args($0) },
            // In the place of one that is gone.
            { KeyTextTarget.args($0) },
            { TextTarget.time($0) },
            { TextTarget.movie($0) },
            { TextTarget.signature($0) },
            { KeyTextTarget.owner($0) },
            { KeyTextTarget.rawKey($0) },
            { TextTarget.fileName($0) },
            { JSONTarget.report($0) },
            { KeyTextTarget.storeFile($0) },
            { KeyTextTarget.sheet($0) },
        ]
    }

    static func run(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let readers = readers
        readers[Int(choice) % readers.count](Array(bytes.dropFirst()))
    }
}
