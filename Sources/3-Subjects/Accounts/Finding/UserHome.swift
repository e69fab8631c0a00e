public import SystemPackage

/// Where a user's programs keep their data.
public struct UserHome: Sendable, Equatable {
    /// Nil where it is not known.
    package let home: FilePath?
    /// Where programs are told to keep data, in place of `.local/share`; nil where they are not told.
    package let data: FilePath?

    /// - Parameters:
    ///   - home: the user's home folder; nil if it is not known.
    ///   - data: where programs are told to keep data, in place of `.local/share`; nil if they are not told.
    public init(home: FilePath?, data: FilePath? = nil) {
        self.home = home
        self.data = data
    }
}
