import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseAccounts
import ValiseFailures
import ValiseFiles

struct AccountLocationTests {
    private let folder: TemporaryFolder
    private let fileSystem = FileSystem()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func touch(_ names: String...) throws {
        for name in names { try fileSystem.replace(folder.appending(name), with: [1]) }
    }

    @Test func `finds the names of each kind of installation`() throws {
        try touch("simplex_v1_chat.db", "simplex_v1_agent.db")
        let desktop = try AccountLocation.find(folder.path)
        #expect(desktop.style == .desktop)
        #expect(desktop.filesName == "simplex_v1_files")
        #expect(desktop.wallpapersName == "simplex_v1_assets/wallpapers")

        try fileSystem.makeDirectory(folder.appending("app_files"))
        let ios = try AccountLocation.find(folder.path)
        #expect(ios.style == .ios)
        #expect(ios.filesName == "app_files")
        #expect(ios.wallpapersName == "assets/wallpapers")
    }

    @Test func `a file is an archive, by a link too, unless it has the name of a database`() throws {
        try touch("simplex_v1_chat.db", "a.zip", "backup")
        let links = ["link": "a.zip", "link_chat.db": "simplex_v1_chat.db", "lost": "nowhere"]
        for (link, target) in links {
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(link).string, withDestinationPath: target)
        }
        let names = ["a.zip", "backup", "simplex_v1_chat.db", "nowhere", "."] + links.keys
        let archives = try names.filter { try AccountPlace.isArchive(folder.appending($0)) }
        #expect(archives.sorted() == ["a.zip", "backup", "link"])
        #expect(try AccountPlace.find(folder.path) == .folder(AccountLocation(directory: folder.path)))
        #expect {
            _ = try AccountPlace.find(folder.appending("simplex_v1_chat.db"))
        } throws: {
            ($0 as? AccountError)?.remedy == .nameFolder(folder.path)
        }
    }

    @Test func `finds Android's prefix and folders`() throws {
        try touch("files_chat.db", "files_agent.db")
        let android = try AccountLocation.find(folder.path)
        #expect(android.style == .android)
        #expect(android.filesName == "files/app_files")
        #expect(android.wallpapersName == "files/assets/wallpapers")
        #expect(android.path(of: .chat) == folder.appending("files_chat.db"))
    }

    @Test func `takes folder and prefix in one, as the official option does`() throws {
        try touch("mobile_v1_chat.db", "other_agent.db")
        #expect(try AccountLocation.find(folder.appending("mobile_v1")).prefix == "mobile_v1")
        #expect(try AccountLocation.find(folder.path, prefix: "other").prefix == "other")
    }

    @Test func `a database file, an archive and another file are told apart`() throws {
        try touch("simplex_v1_chat.db", "a.zip", "a.txt")
        func refusal(_ name: String) throws -> AccountError {
            try #require(throws: AccountError.self) { try AccountLocation.find(folder.appending(name)) }
        }
        let database = try refusal("simplex_v1_chat.db")
        #expect(database.code == .notFound && database.remedy == .nameFolder(folder.path))
        let archive = try refusal("a.zip")
        #expect(archive.code == .notFound && archive.remedy == .verifyArchive(folder.appending("a.zip")))
        #expect(try refusal("a.txt").message == "this is a file, not the folder of an account")
        #expect(try refusal("nowhere").message == "no such folder")
    }

    @Test func `asks for a prefix where there are several, and says where there is none`() throws {
        #expect { try AccountLocation.find(folder.path) } throws: { ($0 as? AccountError)?.code == .notFound }
        #expect { try AccountLocation.find(folder.appending("nowhere")) } throws: {
            ($0 as? AccountError)?.code == .notFound
        }
        try touch("a_chat.db", "b_agent.db")
        let error = try #require(throws: AccountError.self) { try AccountLocation.find(folder.path) }
        #expect(error.code == .invalid)
        guard case .choosePrefix(_, let prefixes) = error.remedy else {
            Issue.record("\(error)")
            return
        }
        #expect(prefixes.sorted() == ["a", "b"])
        #expect { try AccountLocation.find(folder.path, prefix: "../x") } throws: {
            ($0 as? AccountError)?.code == .invalid
        }
    }

    @Test func `tells the form of a database file`() throws {
        func form(_ bytes: [UInt8]) throws -> DatabaseFile.Form {
            let path = folder.appending("x_chat.db")
            try fileSystem.replace(path, with: bytes)
            return try DatabaseFile(path, fileSystem: fileSystem).form
        }
        #expect(try DatabaseFile(folder.appending("none"), fileSystem: fileSystem).form == .missing)
        #expect(try form([]) == .empty)
        let padding = [UInt8](repeating: 0, count: 4080)
        #expect(try form(Array("SQLite format 3\0".utf8) + padding) == .unencrypted)
        #expect(try form([UInt8](repeating: 7, count: 8192)) == .encrypted)
        #expect(try form(Array("hello".utf8)) == .unknown)
    }
}
