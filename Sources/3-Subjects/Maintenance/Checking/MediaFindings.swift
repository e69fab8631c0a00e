/// The files in the chat database compared with the existing files.
public struct MediaFindings: Sendable, Equatable, Codable {
    /// A file that is not as a message says.
    package struct File: Sendable, Equatable, Codable {
        /// As the database has it.
        package let name: String
        /// In bytes, as it should be; with the tag where it is encrypted.
        package let expectedSize: Int64
        /// In bytes, as it is; nil where it is missing.
        package let size: Int64?
    }

    /// How many files messages refer to that should be here.
    package internal(set) var referenced = 0
    /// How many of them are here and have the right size.
    package internal(set) var intactCount = 0
    /// Files elsewhere on the device, by absolute path: nothing is said of them.
    package internal(set) var elsewhere = 0
    /// How many are missing.
    public internal(set) var missingCount = 0
    /// How many have another size.
    public internal(set) var differingCount = 0
    /// The first thousand that are missing or have another size.
    package internal(set) var problems: [File] = []
    /// How many files no message refers to. They take space and harm nothing.
    public internal(set) var unreferencedCount = 0
    /// In bytes.
    package internal(set) var unreferencedSize: Int64 = 0
    /// The first thousand.
    package internal(set) var unreferenced: [String] = []

    private enum CodingKeys: String, CodingKey {
        case referenced, elsewhere, missingCount, differingCount, problems
        case unreferencedCount, unreferencedSize, unreferenced
        case intactCount = "whole"
    }

    /// Whether no file is missing or differs.
    package var isIntact: Bool { missingCount == 0 && differingCount == 0 }
}
