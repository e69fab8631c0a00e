import Fuzzing

@_cdecl("LLVMFuzzerCustomMutator")
public func mutateArchive(
    _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ capacity: Int, _ seed: UInt32
) -> Int {
    Mutation.run(data, size, capacity, seed) { ForgedZip.mutate($0, &$1) }
}
