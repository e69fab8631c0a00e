/// How a tree is mounted. It is always mounted read-only, without devices and without changes of the user.
package struct FuseOptions: Sendable {
    /// Whether programs in it may be started.
    package var isExecutable = false
    /// Whether other users may enter it, root among them. The system may refuse that.
    package var allowsOthers = false
    /// How many requests are answered at once, two at least.
    package var threads = 8

    package init() {}

    /// As a mount has them behind `-o`.
    var text: String {
        var words = ["ro", "nosuid", "nodev", "default_permissions", "fsname=valise", "subtype=valise"]
        if !isExecutable { words.append("noexec") }
        if allowsOthers { words.append("allow_other") }
        return words.joined(separator: ",")
    }
}
