public import SystemPackage
import ValiseFiles

/// Where the parts of an account are: a folder, and the prefix of the database files in it.
public struct AccountLocation: Sendable, Equatable {
    /// Whose folder names are used (Documentation/formats/account.md).
    package enum Style: String, Sendable, Codable, CaseIterable {
        /// Desktop and command line: `simplex_v1_files`.
        case desktop
        /// iOS app group container: `app_files`.
        case ios
        /// Android: prefix `files`, media in `files/app_files`.
        case android
    }

    /// The folder that holds the databases.
    public let directory: FilePath
    /// What the names of the databases start with, such as `simplex_v1`.
    public let prefix: String
    /// Which folder names the media have.
    package let style: Style

    /// The prefix of desktop, command line and current iOS installations.
    package static let usualPrefix = "simplex_v1"

    package init(directory: FilePath, prefix: String = usualPrefix, style: Style = .desktop) {
        self.directory = directory
        self.prefix = prefix
        self.style = style
    }

    /// The file of a database.
    package func path(of database: AccountDatabase) -> FilePath {
        directory.appending(prefix + database.suffix)
    }

    /// The media folder, relative to ``directory``.
    package var filesName: String {
        switch style {
        case .desktop: "\(prefix)_files"
        case .ios: "app_files"
        case .android: "\(prefix)/app_files"
        }
    }

    /// The folder of wallpapers, relative to ``directory``.
    package var wallpapersName: String {
        switch style {
        case .desktop: "\(prefix)_assets/wallpapers"
        case .ios: "assets/wallpapers"
        case .android: "\(prefix)/assets/wallpapers"
        }
    }

    /// The media folder.
    package var filesFolder: FilePath { directory.appending(filesName) }

    /// The folder of wallpapers.
    package var wallpapersFolder: FilePath { directory.appending(wallpapersName) }

    /// Where it says that the account is only to be read; see ``ReadOnlyMark``.
    package var readOnlyMarkPath: FilePath { directory.appending(readOnlyMarkName) }

    var readOnlyMarkName: String { prefix + ReadOnlyMark.suffix }

    /// Where it says that the account was moved away; see ``RetiredMark``.
    package var retiredMarkPath: FilePath { directory.appending(prefix + RetiredMark.suffix) }

    /// What a database of a retired account is called.
    package func retiredPath(of database: AccountDatabase) -> FilePath {
        path(of: database).appendingSuffix(RetiredMark.databaseSuffix)
    }

    /// What Valise keeps beside an account while it changes it; not there otherwise.
    package var workFolder: FilePath { directory.appending(Self.workPrefix + prefix) }

    static let workPrefix = ".valise-"

    /// The folder in which a moved account is received: of no account, whatever its prefix.
    package static func receptionName(_ id: String) -> String { "\(receptionStart)\(id)\(receptionEnd)" }

    static func isReception(_ name: String) -> Bool {
        name.hasPrefix(receptionStart) && name.hasSuffix(receptionEnd)
    }

    private static let receptionStart = ".move-"
    private static let receptionEnd = ".valise"

    /// Where the apps put the databases of a move for its time.
    package static let moveFolderName = "migration_temp_files"
}
