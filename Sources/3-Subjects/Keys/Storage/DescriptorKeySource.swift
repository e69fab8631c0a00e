package import SystemPackage
import ValiseFailures
import ValiseFiles
package import ValiseSecrets

/// A passphrase from an open descriptor, read to its end, without the line break there.
package struct DescriptorKeySource: KeySource {
    private let descriptor: FileDescriptor
    private let name: String
    private let what: String
    private let checkpoint: () throws -> Void

    /// - Parameters:
    ///   - descriptor: is not closed.
    ///   - name: what a failure calls it.
    ///   - what: what a failure calls the secret.
    ///   - checkpoint: called several times in a second while the source keeps us waiting; throws to stop.
    package init(
        _ descriptor: FileDescriptor, name: String, what: String = "passphrase",
        checkpoint: @escaping () throws -> Void = {}
    ) {
        self.what = what
        self.descriptor = descriptor
        self.name = name
        self.checkpoint = checkpoint
    }

    package func read() throws -> SecretBytes {
        try unsafe SecretBytes(capacity: KeyLimits.longest + 2) { memory in
            var count = 0
            while count < memory.count {
                let got = try unsafe readSome(UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
                if got == 0 { break }
                count += got
            }
            let length = unsafe PassphraseLine.withoutBreak(memory, count)
            guard length <= KeyLimits.longest else {
                throw KeyStorageError(
                    .source, .invalid, "the \(what) is longer than \(KeyLimits.longest) bytes", name)
            }
            return length
        }
    }

    private func readSome(_ memory: UnsafeMutableRawBufferPointer) throws -> Int {
        do {
            return try unsafe descriptor.read(into: memory, checkpoint: checkpoint)
        } catch Errno.badFileDescriptor {
            throw KeyStorageError(.source, .failed, "\(name) is not open")
        } catch let error as Errno {
            throw KeyStorageError(
                .source, .failed, "cannot read the \(what): \(FileError.reason(error))", name)
        }
    }
}
