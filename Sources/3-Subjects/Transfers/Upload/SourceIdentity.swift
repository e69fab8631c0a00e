package import SystemPackage
package import ValiseFiles

/// By what a later run knows that a source, or a file that it gave its name, is the file that it was.
package struct SourceIdentity: Sendable, Equatable {
    /// Of a source as the caller gave it, made absolute where it was not; of a received file its name.
    let path: String
    /// In bytes.
    package let size: Int64
    package let modificationTime: Int64
    package let modificationNanoseconds: Int64
    let device: UInt64
    package let inode: UInt64

    package init(_ path: FilePath, _ attributes: FileAttributes) {
        self.path = path.string
        size = attributes.size
        modificationTime = attributes.modificationTime
        modificationNanoseconds = attributes.modificationNanoseconds
        device = attributes.device
        inode = attributes.inode
    }
}

extension SourceIdentity {
    func encode(to output: inout RecordOutput) {
        output.text(path)
        output.number(size)
        output.number(modificationTime)
        output.number(modificationNanoseconds)
        output.number(device)
        output.number(inode)
    }

    init(from input: inout RecordInput) throws {
        path = try input.text()
        size = try input.number()
        modificationTime = try input.number()
        modificationNanoseconds = try input.number()
        device = try input.number()
        inode = try input.number()
    }
}
