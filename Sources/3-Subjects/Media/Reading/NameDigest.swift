/// Stands for a name, byte for byte, in 16 bytes: sets of a hundred thousand names stay small.
///
/// Two different names meet by chance with a probability of about 2⁻⁹⁴ then. The hash has a key of its own in each
/// process, so that nobody can choose names that do.
package struct NameDigest: Hashable, Sendable {
    private let first: Int
    private let second: Int

    /// Text that Unicode calls equivalent may be the names of two files, so bytes count.
    package init(_ name: String) {
        var hashers = (Hasher(), Hasher())
        hashers.1.combine(1)
        var name = name
        name.withUTF8 { bytes in
            unsafe hashers.0.combine(bytes: UnsafeRawBufferPointer(bytes))
            unsafe hashers.1.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
        first = hashers.0.finalize()
        second = hashers.1.finalize()
    }
}
