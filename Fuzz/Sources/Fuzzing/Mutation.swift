import CFuzzer

/// libFuzzer's own mutations of bytes: dictionary, parts of other inputs, compared values.
public enum Mutation {
    /// - Parameter room: the most bytes that there may be afterwards.
    public static func mutate(_ bytes: [UInt8], available: Int) -> [UInt8] {
        guard FuzzRun.isDriven else {
            // One bit, which depends on all of them.
            var (changed, random) = (bytes, FuzzRandom(bytes))
            if !changed.isEmpty { changed[random.below(changed.count)] ^= 1 << random.below(8) }
            return changed
        }
        let capacity = max(bytes.count, available, 1)
        return [UInt8](unsafeUninitializedCapacity: capacity) { memory, count in
            _ = memory.update(fromContentsOf: bytes)
            count = LLVMFuzzerMutate(memory.baseAddress, bytes.count, capacity)
        }
    }

    /// The body of a `LLVMFuzzerCustomMutator`: half of the time `forge`, which may pass; else plain mutation.
    public static func run(
        _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ capacity: Int, _ seed: UInt32,
        forge: ([UInt8], inout FuzzRandom) -> [UInt8]?
    ) -> Int {
        var random = FuzzRandom(UInt64(seed))
        let bytes = Array(UnsafeBufferPointer(start: data, count: size))
        guard !random.once(in: 2), let forged = forge(bytes, &random), !forged.isEmpty,
            forged.count <= capacity
        else { return LLVMFuzzerMutate(data, size, capacity) }
        _ = UnsafeMutableBufferPointer(start: data, count: capacity).update(fromContentsOf: forged)
        return forged.count
    }
}
