import Fuzzing

/// Broken archives, and streams of Deflate.
enum ScanFuzzing {
    // The first byte says what is done with the rest. Kept inputs begin with it, so the order stays.
    private static var readers: [([UInt8]) -> Void] {
        [
            { ScanTarget.run($0) },  // the search of a salvage in a broken archive
            { InflateTarget.run($0) },  // all ways to unpack, against zlib in one call
            { DeflateTarget.run($0) },  // stretches that are packed independently make one stream
        ]
    }

    static func run(_ bytes: [UInt8]) {
        guard let choice = bytes.first else { return }
        let readers = readers
        readers[Int(choice) % readers.count](Array(bytes.dropFirst()))
    }

    /// Archives are mutated as such, and then broken: cut, torn, or put behind one another. Nil for what is no archive.
    static func mutate(_ bytes: [UInt8], _ random: inout FuzzRandom) -> [UInt8]? {
        guard bytes.first.map({ $0 % 3 == 0 }) ?? false else { return nil }
        let broken = Array(bytes.dropFirst())
        // What is broken already is broken on.
        var archive = ForgedZip.mutate(broken, &random) ?? broken
        guard !archive.isEmpty else { return nil }
        let place = random.below(archive.count)
        let length = random.below(min(200, archive.count - place))
        switch random.below(6) {
        case 0: archive.removeLast(archive.count - place)
        case 1: archive.removeFirst(place)
        case 2: archive.removeSubrange(place..<place + length)
        case 3: for index in place..<place + length { archive[index] = 0 }
        case 4: archive.insert(contentsOf: broken.prefix(length), at: place)
        default: archive += broken
        }
        return [0] + archive
    }
}
