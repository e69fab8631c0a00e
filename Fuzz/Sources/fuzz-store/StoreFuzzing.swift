/// What a relay keeps of chunks, its settings, and what a proxy tells it.
enum StoreFuzzing {
    // The first byte says who reads the rest. Kept inputs begin with it, so readers are only added at the end.
    private static var readers: [([UInt8]) -> Void] {
        [
            { LogTarget.line($0) },
            { LogTarget.log($0) },
            { SettingsTarget.settings($0) },
            { LogTarget.counters($0) },
            { SettingsTarget.request($0) },
            { LogTarget.name($0) },
            { ProxyTarget.header($0) },
        ]
    }

    static func run(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let readers = readers
        readers[Int(choice) % readers.count](Array(bytes.dropFirst()))
    }
}
