/// What relays and clients say to each other.
enum WireFuzzing {
    // The first byte says who reads the rest. Kept inputs begin with it, so readers are only added at the end.
    private static var readers: [([UInt8]) -> Void] {
        [
            { MessageTarget.command($0) },
            { MessageTarget.response($0) },
            { MessageTarget.error($0) },
            { MessageTarget.key($0) },
            { BlockTarget.transmission($0) },
            { BlockTarget.hello($0) },
            { BlockTarget.handshake($0) },
            { SessionTarget.relay($0) },
        ]
    }

    static func run(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let readers = readers
        readers[Int(choice) % readers.count](Array(bytes.dropFirst()))
    }
}
