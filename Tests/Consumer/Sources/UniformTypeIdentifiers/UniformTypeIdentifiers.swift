/// The part of Apple's framework that the sample of a File Provider extension uses, from its documentation, so that the sample is
/// compiled where there is no such framework. Nothing of it does anything.
public struct UTType: Hashable, Sendable {
    private let name: String

    public init?(filenameExtension: String) {
        if filenameExtension.isEmpty { return nil }
        name = filenameExtension
    }

    private init(_ name: String) { self.name = name }

    public static let folder = UTType("folder")
    public static let symbolicLink = UTType("symbolicLink")
    public static let data = UTType("data")
}
