/// What stands in stores of Session, and what users type for one.
enum SessionStoreFuzzing {
    // The first byte says who reads the rest. Kept inputs begin with it, so readers are only added at the end.
    private static var readers: [([UInt8]) -> Void] {
        [
            { BencodeTarget.document($0) },
            { ConfigDumpTarget.dump($0) },
            { ConfigDumpTarget.message($0) },
            { SessionWordsTarget.words($0) },
            { SessionAttachmentTarget.parts($0) },
            { SessionAttachmentTarget.file($0) },
            { SessionBackupTarget.frames($0) },
            { SessionBackupTarget.file($0) },
            { SessionBackupTarget.key($0) },
            { DesktopDocumentTarget.message($0) },
            { DesktopDocumentTarget.keys($0) },
        ]
    }

    static func run(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let readers = readers
        readers[Int(choice) % readers.count](Array(bytes.dropFirst()))
    }
}
