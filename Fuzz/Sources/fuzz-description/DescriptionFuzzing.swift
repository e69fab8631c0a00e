/// Descriptions of files, links, and the content behind them.
enum DescriptionFuzzing {
    // The first byte says who reads the rest. Kept inputs begin with it, so readers are only added at the end.
    private static var readers: [([UInt8]) -> Void] {
        [
            { DescriptionTarget.address($0) },
            { DescriptionTarget.description($0) },
            { DescriptionTarget.link($0) },
            { DescriptionTarget.sealedLink($0) },
            { FileTarget.header($0) },
            { FileTarget.sealed($0) },
        ]
    }

    static func run(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let readers = readers
        readers[Int(choice) % readers.count](Array(bytes.dropFirst()))
    }
}
