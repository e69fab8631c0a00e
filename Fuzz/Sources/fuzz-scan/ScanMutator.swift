import Fuzzing

@_cdecl("LLVMFuzzerCustomMutator")
public func mutateBroken(
    _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ capacity: Int, _ seed: UInt32
) -> Int {
    Mutation.run(data, size, capacity, seed) { ScanFuzzing.mutate($0, &$1) }
}
