import ValiseEncoding

extension VectorClock {
    /// More devices than anybody has.
    private static let mostDevices = 10_000

    /// - Parameter fields: the object with `clocks`.
    init(_ fields: DocumentFields) throws(ContentStoreError) {
        let clocks = try fields.fields("clocks")
        guard clocks.all.count <= Self.mostDevices else { throw fields.invalid("clocks") }
        var counters: [String: UInt64] = [:]
        for (device, node) in clocks.all {
            guard let number: UInt64 = node.number() else { throw fields.invalid("clocks") }
            counters[device] = number
        }
        self.init(counters)
    }

    /// The devices in the order of their bytes.
    func write(to writer: inout StoreDocumentWriter) {
        let sorted = counters.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        writer.object { writer in
            writer.key("clocks")
            writer.object { writer in
                for (device, number) in sorted { writer.member(device, number) }
            }
        }
    }
}
