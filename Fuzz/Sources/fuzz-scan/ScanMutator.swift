import Fuzzing

/// Archives are mutated as such, and then broken: cut, torn, or put behind one another.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateBroken(
    _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ capacity: Int, _ seed: UInt32
) -> Int {
    Mutation.run(data, size, capacity, seed) { bytes, random in
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
