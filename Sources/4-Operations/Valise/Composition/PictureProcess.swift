package import ValiseComposition

/// This program once more, as the process that reads a picture.
package enum PictureProcess {
    private static let word = "prepare-picture"

    /// Has pictures prepared by this program.
    package static let preparer = PicturePreparer(command: ["/proc/self/exe", word])

    /// Does the work of that process, where the words of the call ask for it.
    /// - Returns: the exit status; nil for any other call.
    package static func run(_ words: [String]) -> Int32? {
        words.first == word ? PictureWork.run(Array(words.dropFirst())) : nil
    }
}
